import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ELSEWHERE } from './http-proxy.ts';

/** Reports whether certificates can be made here. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Creates a folder with an authority, `ca`, what it issued, `server` (for loopback and elsewhere) and `client`, and what it did not, `stranger`. */
export function createCertificates() {
  const folder = mkdtempSync(join(tmpdir(), 'dockline-certificates-'));
  const path = (name: string) => join(folder, name);
  const issue = (name: string, ...options: string[]) => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
    const own = ['-subj', `/CN=${name}`, '-out', `${name}.crt`, '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...key, ...own, ...options], { cwd: folder, stdio: 'pipe' });
  };
  issue('ca');
  issue('stranger');
  const issued = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-addext', 'basicConstraints=critical,CA:false'];
  issue('server', ...issued, '-addext', `subjectAltName=IP:127.0.0.1,IP:${ELSEWHERE}`);
  issue('client', ...issued);
  return {
    path,
    read: (name: string) => readFileSync(path(name), 'utf8'),
    /** Writes another file, and returns its path. */
    write(name: string, text: string) {
      writeFileSync(path(name), text);
      return path(name);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
