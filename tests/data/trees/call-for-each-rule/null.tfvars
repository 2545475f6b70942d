m = null
