settings = { name = "n", count = -1 }
