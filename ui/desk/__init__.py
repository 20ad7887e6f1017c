"""The annotation desk in the browser: pages of their own beside the chat, and the JSON behind them."""
