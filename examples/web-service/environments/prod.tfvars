name        = "billing"
environment = "prod"
replicas    = 6

ports = [
  { number = 8443, public = true },
  { number = 9102 },
]

database = {
  engine  = "postgres"
  size_gb = 200
  replica = { region = "eu-west-1" }
}

api_token = "not-a-real-token"
