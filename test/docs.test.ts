import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseEnv } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createBenchCommand } from '../proving/bench/bench-options.ts';
import { createFaultsCommand } from '../proving/faults/faults-options.ts';
import { pages as rehearsedPages, sectionsOf } from '../proving/rehearsals/runbook.ts';
import { operations } from '../src/app/operations.ts';
import type { AdminClient } from '../src/cli/admin/client.ts';
import { createAdminCommand } from '../src/cli/admin/commands.ts';
import { commands } from '../src/cli/commands.ts';
import { RECEIVER } from '../src/cli/init.ts';
import { loadConfig } from '../src/config/config.ts';
import { announcementSchema, describeData } from '../src/destinations/announcements/cloud-event.ts';
import { type AnnouncementType, announcementTypes } from '../src/domain/catalogue/subject.ts';
import { conditionNames, factsOf } from '../src/domain/health/condition.ts';
import { stages } from '../src/domain/lifecycle/stage.ts';
import { searchAttributes } from '../src/domain/search-attributes.ts';
import { temporaryFile } from './store/temporary-store.ts';
import { anchorOf } from './support/anchors.ts';

const folder = readdirSync('docs').filter((name) => name.endsWith('.md'));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'DECISIONS.md',
  'SECURITY.md',
  'consumer/README.md',
  'consumer/workflow/README.md',
  ...folder.map((name) => `docs/${name}`),
];
const textOf = (path: string): string => readFileSync(path, 'utf8');
const matches = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, found = '']) => found)),
];

const anchorsIn = (page: string): string[] => matches(textOf(page), /^#+ (.+)$/gm).map(anchorOf);

const missingLinks = (page: string): string[] =>
  matches(textOf(page), /\]\((?!https?:)([^)]+)\)/g).filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsIn(target).includes(anchor);
  });

describe('the README', () => {
  it('leads to every other page', () => {
    expect(folder.filter((name) => !textOf('README.md').includes(`](docs/${name})`))).toEqual([]);
  });

  it('leads to settings that every reader of such files takes alike', () => {
    const [, block = ''] = /```sh\n( +# Ask the warehouse.*?)```/s.exec(textOf('docs/connect.md')) ?? [];
    const lines = block.split('\n').map((line) => line.trim());
    const settings = lines.filter((line) => line !== '' && !line.startsWith('#'));
    // As docker --env-file does: all after the first = is the value.
    const env = Object.fromEntries(settings.map((line) => line.split(/=(.*)/s, 2)));
    expect(Object.keys(env)).toHaveLength(8);
    expect(settings.filter((line) => /["'\s#\\]/.test(line))).toEqual([]);
    const secret = `whsec_${Buffer.alloc(24).toString('base64')}`;
    expect(loadConfig({ ...env, ANNOUNCE_SECRET: secret })).toMatchObject({ notices: [], tenants: [{ id: '9104' }] });
    expect(parseEnv(block)).toEqual(env);
  });

  it('shows the receiver that is handed out', () => {
    const [, code = ''] = /```js\n(.*?)```/s.exec(textOf('README.md')) ?? [];
    expect(code).toBe(RECEIVER);
  });

  it('shows an announcement that can be made', () => {
    const [, json = ''] = /```json\n(.*?)```/s.exec(textOf('README.md')) ?? [];
    const { type, data } = announcementSchema.parse(JSON.parse(json));
    const schema = describeData(type) ?? { not: {} };
    expect(new Ajv2020({ strictTypes: false, formats: { 'date-time': true } }).validate(schema, data)).toBe(true);
  });
});

describe('a cluster', () => {
  const section = /## Kubernetes\n(.*?)\n## /s.exec(textOf('docs/deploying.md'))?.[1] ?? '';

  it('starts with what the page prints: the Secret has what the values name, and both are a configuration', async () => {
    const { env, config } = parse(/```yaml\n(.*?)```/s.exec(section)?.[1] ?? '') as {
      readonly env: Readonly<Record<string, string>>;
      readonly config: string;
    };
    const secret = Object.fromEntries(
      matches(section, /--from-literal=(\w+)=/g).map((name) => [name, 'https://a.test/x']),
    );
    expect(matches(config, /\$\{(\w+)\}/g).filter((name) => !(name in secret))).toEqual([]);
    const file = temporaryFile();
    writeFileSync(file, config);
    const given = {
      ...{ ...secret, ADMIN_TOKEN: 'a'.repeat(64), ANNOUNCE_SECRET: `whsec_${'a'.repeat(44)}` },
      DATABASE_URL: /DATABASE_URL='([^']*)'/.exec(section)?.[1]?.replace('…', 'secret'),
    };
    const loaded = loadConfig({ ...env, ...given, CONFIG_FILE: file });
    expect(loaded).toMatchObject({
      notices: [],
      tenants: [{ id: '9104', destinations: [{ url: 'https://hooks.example.com/dockline' }] }],
    });
  });

  it('of Temporal Cloud gets every search attribute from the command that the page prints', () => {
    const types = { KEYWORD: 'Keyword', KEYWORD_LIST: 'KeywordList', DATETIME: 'Datetime' };
    const printed = matches(textOf('docs/capacity.md'), /--search-attribute (\w+=\w+)/g);
    const known = Object.entries(searchAttributes).map(([name, type]) => `${name}=${types[type]}`);
    expect(printed.sort()).toEqual(known.sort());
  });
});

it('the file that mails when orders will miss their truck is a configuration', () => {
  const file = temporaryFile();
  writeFileSync(file, /```yaml\n(.*?)```/s.exec(textOf('docs/how-do-i.md'))?.[1] ?? '');
  const { alerts } = loadConfig({ CONFIG_FILE: file, MAIL_PASSWORD: 'secret' });
  expect(alerts?.channels).toMatchObject([{ name: 'lead', to: ['lead@example.com'] }]);
});

describe('every page', () => {
  it.each([...pages, 'CHANGELOG.md'])('links to files and headings that are there: %s', (page) => {
    expect(missingLinks(page)).toEqual([]);
  });

  it.each(pages)('has no sentence whose subject is a block of code: %s', (page) => {
    const blocks = textOf(page).split(/^ *```.*$/m);
    const after = blocks.filter((_, index) => index > 0 && index % 2 === 0).map((text) => text.trim());
    expect(after.filter((text) => /^[a-z]/.test(text))).toEqual([]);
  });

  it('names files and folders that are there', () => {
    const named = pages.flatMap((page) =>
      matches(textOf(page), /`((?:src|sandbox|test|workflows|activities|docs)\/[\w./-]*)`/g),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('names environment variables of .env.example', () => {
    const known = new Set(matches(textOf('.env.example'), /^# ([A-Z0-9_]+)=/gm));
    // Node's and the C library's own, that of the tests, and those that a file of settings may refer to.
    const others = new Set([
      'TEMPORAL_UI_PUBLIC_PATH',
      'NODE_COMPILE_CACHE',
      'TEST_PATIENCE',
      'MALLOC_ARENA_MAX',
      'NODE_OPTIONS',
      'NODE_IMAGE',
      'DOCKLINE_TEST_DATABASE_URL',
      'FUZZ_SECONDS',
      'FUZZ_SEED',
      'WAREHOUSE_SECRET',
      'SHOP_URL',
      'SHOPIFY_TOKEN',
      'SHOPIFY_LOCATION',
      'SLACK_URL',
      'MAIL_PASSWORD',
      'TEAMS_KEY',
      'PAGER_SECRET',
    ]);
    const named = pages.flatMap((page) => matches(textOf(page), /\b(?!ERR_)([A-Z]{3,}(?:_[A-Z]+)+)\b(?!\*)/g));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !known.has(name) && !others.has(name))).toEqual([]);
  });
});

describe('commands in the documentation', () => {
  const scripts: Readonly<Record<string, string>> = JSON.parse(textOf('package.json')).scripts;
  const all = pages.map(textOf).join('\n');

  it('are scripts of the package, and each script is named', () => {
    const named = matches(all, /npm run ([\w:-]+)/g);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    // Those of the program have a script, too, for those who are used to it.
    const own = Object.keys(scripts).filter((name) => !(name in commands));
    expect(own.filter((name) => !named.includes(name)).sort()).toEqual(['prepack', 'test']);
  });

  it('are commands of the program, and each is named', () => {
    expect(matches(all, /npx dockline ([a-z-]+)/g).sort()).toEqual(Object.keys(commands).sort());
  });

  /** Command lines by command or script, with what follows `npx dockline x` or `npm run x --`. Those of `temporal` are Temporal's own. */
  const {
    admin = [],
    temporal: _temporal,
    ...others
  } = Object.groupBy(
    [...all.matchAll(/(?:npx dockline ([\w-]+)|npm run ([\w-]+) --) ([^`#\n]*)/g)].map(
      ([, command, script = '', words = '']) => ({ command: command ?? script, words }),
    ),
    ({ command }) => command,
  );
  const optionsIn = (words: string): string[] => matches(words, /(--[a-z-]+)/g);

  /** Commands of the proving grounds, which would load all of Dockline to print their help. */
  const provingGrounds: Readonly<Record<string, typeof createBenchCommand | typeof createFaultsCommand>> = {
    bench: createBenchCommand,
    faults: createFaultsCommand,
  };

  async function helpOf(name: string): Promise<string> {
    const create = provingGrounds[name];
    if (create) return create(async () => undefined).helpInformation();
    const [, load] = commands[name] ?? [];
    return (await load?.())?.command.helpInformation() ?? '';
  }

  it.each(Object.entries(others))('have the options that are named: %s', async (script, lines = []) => {
    const help = await helpOf(script);
    expect(help).toContain('--help');
    const options = lines.flatMap(({ words }) => optionsIn(words));
    expect(options.filter((option) => !help.includes(option))).toEqual([]);
  });

  it('have the subcommands and options that are named: admin', () => {
    const { commands } = createAdminCommand({} as AdminClient, process.stdout);
    /** Finds a command by its words, such as `bulk reprocess`. */
    const find = ([name, ...rest]: readonly string[], among = commands): Command | undefined => {
      const found = among.find((command) => command.name() === name);
      return found && found.commands.length > 0 && /^[a-z]/.test(rest[0] ?? '') ? find(rest, found.commands) : found;
    };
    expect(admin.length).toBeGreaterThan(10);
    for (const { words } of admin.filter(({ words: line }) => /^[a-z]/.test(line))) {
      const help = find(words.trim().split(' '))?.helpInformation();
      expect(help, words).toBeDefined();
      expect(
        optionsIn(words).filter((option) => !help?.includes(option)),
        words,
      ).toEqual([]);
    }
  });
});

describe('HTTP calls in the documentation', () => {
  const callsIn = (text: string): string[] => matches(text, /`((?:GET|PUT|POST|DELETE) \/[\w/{}.-]*)`/g).sort();
  const routesIn = (root: string): string[] =>
    readdirSync(root)
      .map((name) => join(root, name))
      .filter((path) => statSync(path).isFile())
      .flatMap((path) => routesOf(textOf(path)));

  it('are the routes of the administrative API, all of them', () => {
    expect(callsIn(textOf('docs/administrative-api.md'))).toEqual(Object.keys(operations).sort());
  });

  it("are the simulator's control endpoints, all of them", () => {
    expect(callsIn(textOf('docs/simulator.md'))).toEqual(
      routesIn('sandbox/simulator')
        .filter((route) => route.includes(' /simulator/'))
        .sort(),
    );
  });
});

/** The routes that a file registers, as the documentation writes them; an announcement's id has several parts. */
function routesOf(source: string): string[] {
  const [, path = ''] = /const PATH = '([^']+)'/.exec(source) ?? [];
  return [...source.matchAll(/\bapp\.(get|put|post|delete)\(\s*(PATH|'[^']+'|`[^`]+`)/g)].map(
    ([, method = '', url = '']) => {
      const plain = url.replaceAll(/['`]/g, '').replace(/\$\{PATH\}|^PATH$/, path);
      return `${method.toUpperCase()} ${plain.replace(':subject/:revision/:milestone', '{id}').replaceAll(/:(\w+)/g, '{$1}')}`;
    },
  );
}

describe('the page of events', () => {
  const text = textOf('docs/events.md');

  it('has every type of announcements', () => {
    // `npm run vectors` writes its rows; a test compares them.
    expect(matches(text, /^\| `(dockline\.\w+\.\w+)` \|/gm)).toEqual([...announcementTypes.keys()]);
  });

  it('names types that there are, wherever it names one', () => {
    const named = matches(text, /(dockline\.\w+\.\w+)/g);
    expect(named.filter((type) => !announcementTypes.has(type as AnnouncementType))).toEqual([]);
  });

  it('has every stage', () => {
    const [, section = ''] = /^## Stages$(.*?)^## /ms.exec(text) ?? [];
    expect(matches(section, /^\| `(\w+)` \|/gm).sort()).toEqual([...stages].sort());
  });
});

describe('the runbooks', () => {
  it('quote log lines and output that there are', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const code = [...sources.map((path) => `src/${path}`), 'activities/record.ts'].map(textOf).join('\n');
    const quoted = matches(textOf('docs/runbooks.md'), /`((?!np[mx] |temporal )[a-z]+(?: [A-Za-z;]+)+)/g);
    expect(quoted.length).toBeGreaterThan(4);
    expect(quoted.filter((line) => !code.includes(line))).toEqual([]);
  });

  it.each(conditionNames)('have a section for %s', (condition) => {
    expect(anchorsIn('docs/runbooks.md')).toContain(factsOf(condition).runbook);
  });

  const rehearsals = readdirSync('proving/rehearsals').map((name) => textOf(`proving/rehearsals/${name}`));

  /** A table whose rows lead to other sections. */
  const overview = 'What losing each store means';
  const sections = rehearsedPages.flatMap((page) => sectionsOf(page)).filter(({ heading }) => heading !== overview);

  it.each(sections)('are rehearsed: $heading', ({ heading }) => {
    expect(rehearsals.some((text) => text.includes(`'${heading}'`))).toBe(true);
  });
});
