{{- define "weir.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "weir.labels" -}}
app.kubernetes.io/name: weir
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "weir.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "weir.name" .) -}}
{{- end }}

{{- define "weir.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.existingSecret }}
      key: {{ .key }}
{{- end }}

{{- /* What all processes are told. */}}
{{- define "weir.env" -}}
{{ include "weir.secretVariable" (dict "root" . "name" "WEIR_DATABASE_URL" "key" "databaseUrl") }}
{{ include "weir.secretVariable" (dict "root" . "name" "WEIR_SECRETS_KEY" "key" "secretsKey") }}
- name: WEIR_STORE_URL
  value: {{ required "store.url is missing: a bucket for logs and artifacts" .Values.store.url | quote }}
- name: WEIR_STORE_REGION
  value: {{ .Values.store.region | quote }}
{{- with .Values.store.endpoint }}
- name: WEIR_STORE_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- if .Values.store.hasAccessKey }}
{{ include "weir.secretVariable" (dict "root" . "name" "WEIR_STORE_ACCESS_KEY_ID" "key" "storeAccessKeyId") }}
{{ include "weir.secretVariable" (dict "root" . "name" "WEIR_STORE_SECRET_ACCESS_KEY" "key" "storeSecretAccessKey") }}
{{- end }}
- name: WEIR_SKIP_EXAMPLES
  value: "true"
- name: WEIR_LOG_FORMAT
  value: json
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- /* The pod of a process: root, component, command, env (text), space, mountsToken, and what a worker has besides. */}}
{{- define "weir.pod" -}}
metadata:
  labels:
    {{- include "weir.labels" . | nindent 4 }}
  annotations:
    checksum/dags: {{ toYaml .root.Values.dags | sha256sum }}
spec:
  serviceAccountName: {{ include "weir.serviceAccount" .root }}
  automountServiceAccountToken: {{ .mountsToken | default false }}
  terminationGracePeriodSeconds: {{ .graceSeconds | default 30 }}
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    seccompProfile: { type: RuntimeDefault }
  {{- with .nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: weir
      image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [{{ .command }}]
      env:
        {{- include "weir.env" .root | nindent 8 }}
        {{- with .env }}
        {{- . | nindent 8 }}
        {{- end }}
      securityContext:
        allowPrivilegeEscalation: false
        capabilities: { drop: [ALL] }
      {{- if eq .component "server" }}
      ports:
        - { name: http, containerPort: 8080 }
      startupProbe:
        httpGet: { path: /api/v1/health/live, port: http }
        periodSeconds: 2
        failureThreshold: 60
      readinessProbe:
        httpGet: { path: /api/v1/health, port: http }
        periodSeconds: 5
      livenessProbe:
        httpGet: { path: /api/v1/health/live, port: http }
        periodSeconds: 10
        failureThreshold: 6
      {{- end }}
      {{- with .resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - { name: home, mountPath: /var/lib/weir }
        - { name: dags, mountPath: /var/lib/weir/dags, readOnly: true }
  volumes:
    - name: home
      emptyDir: { sizeLimit: {{ .space | default "1Gi" }} }
    - name: dags
      configMap: { name: {{ include "weir.name" .root }}-dags }
{{- end }}
