import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the bill of materials has every package of the product, and none that only development needs', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const expected = Object.entries<{ readonly version: string; readonly dev?: boolean; readonly devOptional?: boolean }>(
    packages,
  )
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
  const bill = JSON.parse(execFileSync(process.execPath, ['tools/sbom.ts'], { encoding: 'utf8' }));
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'dockline' } } });
  const listed = bill.components.map(({ name, version }: Readonly<Record<string, string>>) => `${name}@${version}`);
  expect(new Set(listed)).toEqual(new Set(expected));
  expect(listed.length).toBeGreaterThan(200);
});
