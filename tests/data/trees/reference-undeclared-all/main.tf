resource "terraform_data" "a" {
  input = [var.nope, local.nope, terraform_data.nope.id, data.terraform_remote_state.nope.outputs, module.nope.x, each.key, count.index, self.id, path.nope, terraform.nope, foo.bar.baz, ephemeral.foo.bar, each.nope, count.nope, each, count, self, path, terraform, resource.terraform_data.nope.id, data.x, local, var]
}
