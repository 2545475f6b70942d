m = { a = null }
