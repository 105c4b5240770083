{{/* Labels of everything; call with the root. */}}
{{- define "dockline.labels" -}}
app.kubernetes.io/name: dockline
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* Labels that select the pods of a role; call with (dict "root" $ "role" name). */}}
{{- define "dockline.selector" -}}
app.kubernetes.io/name: dockline
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- /* Limit of a webhook's body in bytes, as the process takes it. */}}
{{- define "dockline.bodyLimit" -}}
{{- get (merge (dict) .Values.roles.webhook.env .Values.env) "WEBHOOK_BODY_LIMIT_BYTES" | default "4194304" -}}
{{- end }}
