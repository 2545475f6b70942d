settings = { name = null }
