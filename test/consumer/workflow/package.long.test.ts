import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { installPackage } from '../installed-package.ts';

const example = 'consumer/workflow/examples/fulfillment.ts';

/** Returns the blocks of TypeScript of a page. */
const blocksOf = async (page: string): Promise<readonly string[]> =>
  [...(await readFile(page, 'utf8')).matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);

const [shown = '', continued = ''] = await blocksOf('docs/temporal.md');
const [first = ''] = await blocksOf('README.md');

/** Declarations that the block of the README leaves out. */
const beforeFirst = `
import { receive, type Subject } from '@dockline/workflow';
declare function reserve(order: Subject): Promise<void>;
declare function capture(order: Subject): Promise<void>;
declare function release(order: Subject): Promise<void>;
`;

/** Declarations that the second block leaves out. */
const beforeContinued = `
import { type Received, receive, type Subject } from '@dockline/workflow';
import { continueAsNew, workflowInfo } from '@temporalio/workflow';
declare function reorder(stock: object | undefined): Promise<void>;
`;

describe('the package for workflows', () => {
  it('depends on nothing but the SDK of workflows', async () => {
    const manifest = JSON.parse(await readFile('consumer/workflow/package.json', 'utf8'));
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual(['peerDependencies']);
    expect(Object.keys(manifest.peerDependencies)).toEqual(['@temporalio/workflow']);
  });

  it('has an example that its page shows', async () => {
    expect(shown).toBe(await readFile(example, 'utf8'));
  });

  it('has its types when it is installed', async () => {
    const folder = await installPackage('consumer/workflow', ['@temporalio']);
    onTestFinished(folder.remove);
    const files = { 'fulfillment.ts': example, 'typed.ts': 'test/consumer/workflow/typed-workflow.ts' };
    for (const [name, file] of Object.entries(files)) await cp(file, join(folder.path, name));
    await writeFile(join(folder.path, 'continued.ts'), beforeContinued + continued);
    await writeFile(join(folder.path, 'first.ts'), beforeFirst + first);
    await writeFile(join(folder.path, 'package.json'), '{ "type": "module" }');
    const options = ['--noEmit', '--skipLibCheck', '--strict', '--module', 'nodenext', '--target', 'es2024'];
    const compiler = resolve('node_modules/typescript/bin/tsc');
    const args = [...options, ...Object.keys(files), 'continued.ts', 'first.ts'];
    const compile = promisify(execFile)(process.execPath, [compiler, ...args], { cwd: folder.path });
    expect(await compile.catch(({ stdout }) => stdout)).toMatchObject({ stdout: '' });
  });
});
