/**
 * A self-signed certificate for `sts.example.test`, a name that only a proxy resolves. The key is public and protects
 * nothing.
 */
export const exampleCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSWd/CgFRwvJd+yY2
CTCAgI1LaccVQfzc8FYwwgSXkv+hRANCAARSQqf/lnhGmiouchGBTO3V/OA4iAPL
eQK8/M+6l+UqWKDefZgEWmfWDpjhfcfTW83S5ooj6wygUG396qzIj4Ei
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBqzCCAVCgAwIBAgIUXezXFGuknBHMeuzgKrxGKSm4EUAwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQc3RzLmV4YW1wbGUudGVzdDAgFw0yNjExMjExMzIyMjlaGA8y
MTI2MTAyODEzMjIyOVowGzEZMBcGA1UEAwwQc3RzLmV4YW1wbGUudGVzdDBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABFJCp/+WeEaaKi5yEYFM7dX84DiIA8t5Arz8
z7qX5SpYoN59mARaZ9YOmOF9x9NbzdLmiiPrDKBQbf3qrMiPgSKjcDBuMB0GA1Ud
DgQWBBS8yTiDNJ7p/Q4RM/yvz9tXUzZrxjAfBgNVHSMEGDAWgBS8yTiDNJ7p/Q4R
M/yvz9tXUzZrxjAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHN0cy5leGFt
cGxlLnRlc3QwCgYIKoZIzj0EAwIDSQAwRgIhAJkQoxNeT5kK2wdSHkSeXhA/oP3I
sxtqQ+0akZbet+VwAiEA0JZ/pxC4m8VsHUHq/WMuQy59spTNEoIzECMSJN93dAU=
-----END CERTIFICATE-----
`,
} as const;
