name     = "shop"
replicas = 40
