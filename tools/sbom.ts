import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// `npm run sbom`: prints the packages of the product in CycloneDX's form. `npm sbom --omit dev` leaves out those that a development
// dependency needs as well, so npm is asked in a copy without any. The folder's name becomes that of the product.
const parent = mkdtempSync(join(tmpdir(), 'sbom-'));
const cwd = join(parent, 'dockline');
const npm = (...args: string[]) => execFileSync('npm', args, { cwd, maxBuffer: 100_000_000, stdio: 'pipe' });
try {
  mkdirSync(cwd);
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(file, join(cwd, file));
  npm('pkg', 'delete', 'devDependencies');
  npm('prune', '--package-lock-only', '--ignore-scripts', '--offline');
  process.stdout.write(npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'));
} finally {
  rmSync(parent, { recursive: true });
}
