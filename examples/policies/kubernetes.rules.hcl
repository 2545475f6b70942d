# Clusters run a release of Kubernetes that still gets fixes.
locals {
  supported = version(">= 1.29")
}

rule "kubernetes-version" {
  resource "aws_eks_cluster" {
    version = local.supported
  }
  resource "google_container_cluster" {
    min_master_version = local.supported
  }
  resource "azurerm_kubernetes_cluster" {
    kubernetes_version = local.supported
  }
}

test "versions of Kubernetes" {
  plan = "plans/kubernetes.json"
  expect = {
    kubernetes-version = {
      "aws_eks_cluster.good"             = "pass"
      "aws_eks_cluster.old"              = "fail"
      "google_container_cluster.good"    = "pass"
      "azurerm_kubernetes_cluster.unset" = "fail"
    }
  }
}
