resource "terraform_data" "a" {
  connection {
    type = "ssh"
    host = "x"
    user = "u"
    password = "p"
    port = 22
    timeout = "5m"
    script_path = "x"
    target_platform = "unix"
    private_key = "x"
    certificate = "x"
    host_key = "x"
    agent = true
    agent_identity = "x"
    proxy_scheme = "http"
    proxy_host = "h"
    proxy_port = 1
    proxy_user_name = "x"
    proxy_user_password = "x"
    bastion_host = "x"
    bastion_host_key = "x"
    bastion_port = 1
    bastion_user = "x"
    bastion_password = "x"
    bastion_private_key = "x"
    bastion_certificate = "x"
    https = true
    insecure = true
    cacert = "x"
    use_ntlm = true
  }
  provisioner "remote-exec" {
    inline = ["x"]
  }
}
