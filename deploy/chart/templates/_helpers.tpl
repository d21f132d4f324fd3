{{- define "corprail.name" -}}
{{- if contains "corprail" .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-corprail" .Release.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "corprail.selector" -}}
app.kubernetes.io/name: corprail
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "corprail.labels" -}}
{{ include "corprail.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "corprail.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "corprail.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (include "corprail.name" .) }}
{{- end }}

{{/* What both the pods and the migration job may do: nothing but run as this user. */}}
{{- define "corprail.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "corprail.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "corprail.databaseUrl" -}}
- name: CORPRAIL_DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ required "Set database.existingSecret to the secret with the address of PostgreSQL." .Values.database.existingSecret }}
      key: {{ .Values.database.key }}
{{- end }}
