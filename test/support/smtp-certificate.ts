import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { onTestFinished } from 'vitest';

/**
 * What the tests' mail server shows by TLS. Nobody vouches for it but itself; it is for localhost, 127.0.0.1 and 0.0.0.0,
 * until 2126. The key protects nothing.
 */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBvjCCAWWgAwIBAgIUC5yEcflo/Feb0jyOn71GcQarZUswCgYIKoZIzj0EAwIw
IzEhMB8GA1UEAwwYbWFpbCBzZXJ2ZXIgb2YgdGhlIHRlc3RzMCAXDTI2MTEyMjEz
MTUyMloYDzIxMjYxMDI5MTMxNTIyWjAjMSEwHwYDVQQDDBhtYWlsIHNlcnZlciBv
ZiB0aGUgdGVzdHMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARmvFTXM0SzopgI
PmGLVD4dm137JVmYmxEcHSznxenBdMIvBPIiiptnLHuHet/aGRjJEc+PXgJ2bTQF
eblJQ8Lgo3UwczAdBgNVHQ4EFgQU+/YCK4CLcBHiBP2CwzkJ0Lj49hswHwYDVR0j
BBgwFoAU+/YCK4CLcBHiBP2CwzkJ0Lj49hswDwYDVR0TAQH/BAUwAwEB/zAgBgNV
HREEGTAXgglsb2NhbGhvc3SHBH8AAAGHBAAAAAAwCgYIKoZIzj0EAwIDRwAwRAIg
RjHN74t1EEz9nK3HuYn8QVmZrXvL1yytKjntHrmEH1UCIH+LWYBKbIfXh7CGhlcr
VZqn0ERxlb/IQIp9usnjuUvt
-----END CERTIFICATE-----
`;

export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg88tLen3RuxnjaDqo
Gm7EggmFcSFFzi2eZedKi8RTKb6hRANCAARmvFTXM0SzopgIPmGLVD4dm137JVmY
mxEcHSznxenBdMIvBPIiiptnLHuHet/aGRjJEc+PXgJ2bTQFeblJQ8Lg
-----END PRIVATE KEY-----
`;

/** Vouches for the certificate until the test ends. */
export function trustCertificate(): void {
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, certificate]);
  onTestFinished(() => setDefaultCACertificates(trusted));
}
