{{- define "queues.labels" -}}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
