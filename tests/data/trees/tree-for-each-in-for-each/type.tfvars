teams = { a = { x = { size = "many" } } }
