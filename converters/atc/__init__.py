"""The front end that takes atc's command line: flags, frame, codes, and the backends behind them."""
