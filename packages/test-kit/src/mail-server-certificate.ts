/**
 * A self-signed certificate for `localhost` and 127.0.0.1, valid for a hundred years. The key is public and protects
 * nothing.
 */
export const mailServerCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgB9k88vqdF7Onv05m
+5/TWPaM5h/e7uXHOrhvq8o7JSehRANCAAREEjSfCmCxwEEBSEAryS5mcxDoxnFY
BbQjpx5gL90NpP+/R4dORsPztMJ1iAQCi6Sdk84LWezzwVxJcpHDhhIs
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUUIARt/8J2zG9j/FpiW1Ak4zkKOMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA4MjQ1N1oYDzIxMjYxMDI4
MDgyNDU3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAREEjSfCmCxwEEBSEAryS5mcxDoxnFYBbQjpx5gL90NpP+/R4dORsPz
tMJ1iAQCi6Sdk84LWezzwVxJcpHDhhIso28wbTAdBgNVHQ4EFgQUWir0+Mj5E07m
dx61inmpRwUScqkwHwYDVR0jBBgwFoAUWir0+Mj5E07mdx61inmpRwUScqkwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgOANPeLErfXUZN+7Iva/o7YQkO9XU/DCcABGf3WY4w5sCIH/J
sc67yYBmbBk55KzJm6uD5PQQ2Wre+K2abCgHoYSp
-----END CERTIFICATE-----
`,
} as const;
