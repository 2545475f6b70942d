settings = { name = "n", count = 3, inner = { flag = false } }
