locals {
  queues = templatefile("${path.module}/templates/queues.yaml.tftpl", { gpus = var.gpus, flavor = var.machine })
}

resource "kubernetes_manifest" "queues" {
  for_each = { for d in split("---", local.queues) : yamldecode(d).metadata.name => yamldecode(d) }
  manifest = each.value
}
