variable "secret" {
  type      = string
  sensitive = true
  default   = "planted-in-a-variable"
}

# Each is protected in its own way: directly, by count, by for_each, through a module, through an output.
resource "terraform_data" "direct" { input = "bucket" }
resource "terraform_data" "direct_block" {
  input            = "block"
  triggers_replace = terraform_data.direct.id
}

resource "terraform_data" "counted" {
  count = 2
  input = "bucket"
}
resource "terraform_data" "counted_block" {
  count            = 2
  input            = "block"
  triggers_replace = terraform_data.counted[count.index].id
}

resource "terraform_data" "keyed" {
  for_each = toset(["a", "b.c"])
  input    = "bucket"
}
resource "terraform_data" "keyed_block" {
  input            = "block"
  triggers_replace = terraform_data.keyed["b.c"].id
}

resource "terraform_data" "handed" { input = "bucket" }
module "protect" {
  source = "./child"
  bucket = terraform_data.handed.id
}
resource "terraform_data" "inner_block" {
  input            = "block"
  triggers_replace = module.protect.made
}

resource "terraform_data" "bare" { input = "bucket" }

# Which one it is, nobody can tell from the plan.
resource "terraform_data" "either" { input = "bucket" }
resource "terraform_data" "either_block" {
  input            = "block"
  triggers_replace = timestamp() == "" ? terraform_data.direct.id : terraform_data.either.id
}

resource "terraform_data" "secret" {
  input            = { password = var.secret, open = "x" }
  triggers_replace = "t"
}
