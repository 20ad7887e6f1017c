"""More machines than one: the same work in the processes of a Ray cluster.

The only room that imports Ray; docs/scale.md says from which size on it is worth its while.
"""
