size = 12
