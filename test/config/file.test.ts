import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { standardPaths } from '../../src/domain/catalogue/paths.ts';
import { standardProperties } from '../../src/domain/catalogue/properties.ts';
import type { Environment } from '../../src/forms/forms.ts';
import { loadFile, problemsOf } from './load-file.ts';
import { writeTemporary } from './temporary-text.ts';

const TPL = '5f0c2b7e-8d3a-4c19-b6a4-2e9d7f1c0a55';
const OTHER_TPL = '0b9d4e6c-71f2-4f0b-8c3e-95a1d2e7f864';
const SIGNING = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const conventions = { paths: standardPaths, properties: standardProperties };
const other = { name: 'alder', url: 'https://alder.example', secret: SIGNING };
const shared = { WAREHOUSE_ORDER_DETAIL: 'contacts', ANNOUNCE_URL: 'https://all.example', ANNOUNCE_SECRET: SIGNING };

const access = {
  baseUrl: 'https://wms.example',
  authUrl: 'https://login.example',
  clientId: 'client',
  clientSecret: 'hush',
  userLogin: 'dockline',
};

const of = (variable: string) => `\${${variable}}`;

const tenantsOf = (text: string, env: Environment = {}) => loadFile(text, { ...shared, ...env }).tenants;

const withEntries = (...entries: readonly object[]) => JSON.stringify({ warehouses: entries }, null, 1);

describe('the section warehouses', () => {
  it('describes each tenant in YAML, with defaults from the variables', () => {
    const text = `
warehouses:
  - tenant: 9104
    credential: single-tenant-dynamic
    baseUrl: https://wms.example
    authUrl: https://login.example
    clientId: client
    clientSecret: hush
    userLogin: dockline
    tpl: ${TPL}
    callsPerSecond: 0.5
    orderDetail: [orderItems]
    itemDetail: [allocations]
    receiptDetail: []
    webhook: { verify: token, token: sixteen-characters }
    announce:
      detail: bounded
      maxBytes: 1048576
      url: https://one.example/in
      secret: ${SIGNING}
  - tenant: "7001"
    baseUrl: https://other.example
    authUrl: https://other.example
    clientId: client
    clientSecret: hush
    userLogin: dockline
`;
    expect(tenantsOf(text)).toMatchObject([
      {
        id: '9104',
        endpoint: '9104',
        ...access,
        credential: 'single-tenant-dynamic',
        tpl: TPL,
        ...conventions,
        orderDetail: ['orderItems'],
        itemDetail: ['allocations'],
        receiptDetail: [],
        callsPerSecond: 0.5,
        webhook: { verify: 'token', token: ['sixteen-characters'] },
        destinations: [
          {
            kind: 'http',
            name: 'default',
            url: 'https://one.example/in',
            secret: [SIGNING],
            headers: {},
            tls: {},
            detail: 'bounded',
            maxBytes: 1_048_576,
          },
        ],
        deadlines: [],
      },
      {
        orderDetail: ['contacts'],
        itemDetail: [],
        receiptDetail: ['ReceiveItems'],
        ...conventions,
        destinations: [
          {
            kind: 'http',
            name: 'default',
            url: 'https://all.example',
            secret: [SIGNING],
            detail: 'full',
            headers: {},
            tls: {},
          },
        ],
        deadlines: [],
        callsPerSecond: 5,
        webhook: { verify: 'rsa-sha256', keyGraceMs: 21_600_000, keyMaxAgeMs: 86_400_000 },
        id: '7001',
        endpoint: '7001',
        ...access,
        baseUrl: 'https://other.example',
        authUrl: 'https://other.example',
      },
    ]);
  });

  it('may be JSON', () => {
    expect(tenantsOf(withEntries({ ...access, tenant: 9104, callsPerSecond: 7 }))).toMatchObject([
      { id: '9104', ...access, callsPerSecond: 7 },
    ]);
  });

  it('has defaults that a warehouse may override', () => {
    const warehouses = [
      { tenant: 1, tpl: TPL },
      { tenant: 2, tpl: OTHER_TPL, userLogin: 'else', callsPerSecond: 1 },
    ];
    const text = JSON.stringify({ defaults: { ...access, callsPerSecond: 3 }, warehouses });
    expect(tenantsOf(text)).toMatchObject([
      { id: '1', ...access, tpl: TPL, callsPerSecond: 3 },
      { id: '2', ...access, tpl: OTHER_TPL, userLogin: 'else', callsPerSecond: 1 },
    ]);
  });

  it('may contain references to variables in its values', () => {
    const entry = { ...access, tenant: of('TENANT'), baseUrl: `https://${of('HOST')}/api`, clientSecret: of('SECRET') };
    const env = { TENANT: '9104', HOST: 'wms.example', SECRET: `with ${of('TENANT')} and $& in it` };
    expect(tenantsOf(withEntries(entry), env)).toMatchObject([
      { id: '9104', baseUrl: 'https://wms.example/api', clientSecret: env.SECRET },
    ]);
  });

  it('keeps the zeros of a numeric secret', () => {
    const lines = Object.entries({ tenant: 1, ...access, clientSecret: '00123e4' });
    const tenants = tenantsOf(`warehouses:\n  - ${lines.map((line) => line.join(': ')).join('\n    ')}\n`);
    expect(tenants[0]?.clientSecret).toBe('00123e4');
  });
});

describe('a bad file', () => {
  it('has every error reported with its line', () => {
    const text = `defaults:
  baseUrl: wms.example
  clientSecret: \${NOT_SET}
  colour: red
warehouses:
  - tenant: 9104
    credential: multi-tenant
    authUrl: https://login.example
    client_id: client
    userLogin: dockline
    tpl: nobody
    callsPerSecond: many
    orderDetail: [orderItems, everything]
  - tenant: 9:104
    announce: { url: here }
  - nothing
extra: 1
`;
    expect(problemsOf(text, shared)).toEqual([
      'line 2: baseUrl: must be an http:// or https:// address',
      'line 3: the variable NOT_SET is not set',
      expect.stringMatching(/^line 4: colour: is not known here; known are tenant, baseUrl, /),
      'line 7: credential: a multi-tenant credential maintains tenants, not their data',
      'line 9: client_id: is not known here; did you mean clientId?',
      'line 11: tpl: must be a GUID',
      'line 12: callsPerSecond: must be a number',
      expect.stringMatching(/^line 13: orderDetail.1: must be one of savedElements, /),
      'line 14: authUrl: is missing',
      'line 14: clientId: is missing',
      'line 14: userLogin: is missing',
      'line 14: tenant: must be of letters, digits, hyphens and underscores, at most 24',
      'line 15: announce.secret: is missing',
      'line 15: announce.url: must be an http:// or https:// address',
      'line 16: must be keys with values',
      'line 17: extra: is not known here; known are defaults, calendars, warehouses, deadlines, alerts',
    ]);
  });

  it.each([
    [{ credential: 'single-tenant-dynamic' }, /^line 3: tpl: is required with a single-tenant-dynamic credential$/],
    [{ credential: 'single-tenant-static', tpl: TPL }, /^line \d+: tpl: is not for a single-tenant-static credential/],
    [{ credential: 'multi-tenant' }, /a multi-tenant credential maintains tenants, not their data$/],
    [
      { destinations: [{ ...other, name: 'Alder' }] },
      /destinations.0.name: must be of small letters, digits and hyphens, at most 40$/,
    ],
    [
      { destinations: [{ ...other, name: 'default' }] },
      /name: is the name of the destination that announce describes$/,
    ],
    [{ destinations: [other, other] }, /destinations.1.name: repeats that of a destination above$/],
    [{ destinations: [{ ...other, types: ['order.shipped'] }] }, /types.0: names no type of announcements, such as/],
    [{ destinations: [{ ...other, kinds: ['orders'] }] }, /destinations.0.kinds.0: must be one of order, receipt/],
    [{ destinations: [{ ...other, customers: [''] }] }, /destinations.0.customers.0: must not be empty$/],
    [{ destinations: [{ ...other, customer: [1] }] }, /customer: is not known here; did you mean customers\?$/],
    [{ destinations: other }, /destinations: must be a list$/],
    [{ webhook: { verify: 'token' } }, /webhook.token: is required by the verification scheme token$/],
    [{ webhook: { token: 'short' } }, /webhook.token: must have at least 16 characters$/],
    [
      { webhook: { token: ['long-enough-to-be-taken', 'short'] } },
      /webhook.token.1: must have at least 16 characters$/,
    ],
    [{ webhook: { token: [] } }, /webhook.token: must have at least one$/],
    [
      { webhook: { verify: 'basic', user: 'dockline' } },
      /webhook.password: is required by the verification scheme basic$/,
    ],
    [
      { webhook: { verify: 'hmac-sha256', secret: 'sixteen-characters' } },
      /webhook.header: is required by the verification scheme hmac-sha256$/,
    ],
    [
      { webhook: { verify: 'standard-webhooks' } },
      /webhook.secret: is required by the verification scheme standard-webhooks$/,
    ],
    [{ webhook: { verify: 'standard-webhooks', secret: 'sixteen-characters' } }, /webhook.secret: must be whsec_ and/],
    [{ webhook: { verify: 'standard-webhooks', secret: 'short' } }, /webhook.secret: must be whsec_ and/],
    [{ webhook: { secret: 'short' } }, /webhook.secret: must have at least 16 characters$/],
    [{ webhook: { verify: 'md5' } }, /webhook.verify: must be one of rsa-sha256, hmac-sha256, /],
    [{ webhook: { header: 'two words' } }, /webhook.header: must be a header's name$/],
    [{ webhook: { prefix: 'a b' } }, /webhook.prefix: must be of printable characters/],
    [{ webhook: { user: 'a:b' } }, /webhook.user: must be a name without a colon$/],
    [{ webhook: { toleranceMs: 0 } }, /webhook.toleranceMs: must be more than 0$/],
    [{ webhook: 'none' }, /webhook: must be keys with values$/],
    [{ orderDetail: 'orderItems' }, /orderDetail: must be a list$/],
    [
      { announce: { url: 'http://example.com', secret: SIGNING } },
      /announce.url: is plain http beyond loopback, .*; set allowHttp: yes to accept that$/,
    ],
    [{ clientId: ['a'] }, /clientId: must be a text$/],
    [{ callsPerSecond: 0 }, /callsPerSecond: must be more than 0$/],
    [{ clientSecret: '' }, /clientSecret: must not be empty$/],
  ])('has %j reported', (part, problem) => {
    expect(problemsOf(withEntries({ tenant: 9104, ...access, ...part }), shared)).toEqual([
      expect.stringMatching(problem),
    ]);
  });

  it('may leave the token of a warehouse to the variables', () => {
    const entry = { ...access, tenant: 1, webhook: { verify: 'token' } };
    const tenants = tenantsOf(withEntries(entry), { WEBHOOK_TOKEN: 'sixteen-characters' });
    expect(tenants[0]?.webhook).toEqual({ verify: 'token', token: ['sixteen-characters'] });
  });

  it.each([
    [
      {
        verify: 'hmac-sha256',
        secret: 'the-secret-of-today',
        header: 'X-Signature',
        encoding: 'base64',
        prefix: 'v1=',
      },
      {
        verify: 'hmac-sha256',
        secret: ['the-secret-of-today'],
        header: 'x-signature',
        encoding: 'base64',
        prefix: 'v1=',
      },
    ],
    [
      { verify: 'standard-webhooks', secret: [SIGNING, SIGNING], toleranceMs: 60_000 },
      { verify: 'standard-webhooks', secret: [SIGNING, SIGNING], toleranceMs: 60_000 },
    ],
    [
      { verify: 'basic', user: 'dockline', password: ['the-password-of-today', 'that of tomorrow'] },
      { verify: 'basic', user: 'dockline', password: ['the-password-of-today', 'that of tomorrow'] },
    ],
  ])('is read with %j', (webhook, expected) => {
    expect(tenantsOf(withEntries({ tenant: 9104, ...access, webhook }))[0]?.webhook).toEqual(expected);
  });

  it.each([
    ['the same tenant', { clientId: 'other' }, 'line 13: tenant: repeats that of an earlier warehouse'],
    ['the same credential and tpl', { tenant: 2 }, 'line 19: tpl: repeats that of an earlier warehouse'],
  ])('has a second warehouse with %s reported', (_case, difference, problem) => {
    const one = { tenant: 1, ...access, tpl: TPL };
    expect(problemsOf(withEntries(one, { ...one, ...difference }))).toContain(problem);
  });

  it.each([
    ['warehouses:\n  - tenant: 1\n   clientSecret: hush-hush', 3],
    ['warehouses:\n  - clientSecret: *hush-hush', 2],
    ['warehouses:\n  - clientSecret: !hush-hush x', 2],
    ['warehouses:\n  - clientSecret: @hush-hush', 2],
    ['warehouses: []\nwarehouses: []', 2],
    ['{ "warehouses": [ }', 1],
  ])('with invalid YAML has its line reported: %j', (text, line) => {
    expect(problemsOf(text)[0]).toMatch(new RegExp(`^line ${line}: `));
  });

  it.each([
    ['', 'line 1: must have a section, such as warehouses'],
    ['# Nothing yet.\n', 'line 1: must have a section, such as warehouses'],
    ['- a\n- b', 'line 1: must have a section, such as warehouses'],
    ['text', 'line 1: must have a section, such as warehouses'],
    ['warehouses: []', 'line 1: warehouses: must name at least one'],
    ['warehouses: all', 'line 1: warehouses: must be a list'],
    ['defaults: {}', 'line 1: defaults: is used by no warehouse'],
    [
      'channels: []',
      'line 1: channels: is not known here; known are defaults, calendars, warehouses, deadlines, alerts',
    ],
  ])('without a use is refused: %j', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it('has no secret in any message', () => {
    const secret = 'hush-hush';
    const entry = { tenant: 1, clientSecret: secret, clientId: secret, announce: { url: secret, secret } };
    const texts = [
      JSON.stringify({ warehouses: [{ ...entry, webhook: { token: secret, verify: secret }, tpl: secret }] }),
      ...['*', '!', '&', '@', '"', '%', '{', '[', '- ', '? '].map((mark) => `clientSecret: ${mark}${secret} ${secret}`),
    ];
    for (const text of texts) {
      const problems = problemsOf(text);
      expect(problems.length).toBeGreaterThan(0);
      expect(problems.join()).not.toContain(secret);
    }
  });
});

const WAREHOUSE = (tenant: number, clientId: string) => `warehouses:
  - { tenant: ${tenant}, baseUrl: https://wms.example, authUrl: https://wms.example, clientId: ${clientId}, clientSecret: hush, userLogin: dockline }
`;
const CALENDAR = (name: string) => `calendars:
  ${name}: { timeZone: America/Chicago, cutOffs: { monday: "14:00" } }
`;
const RULE = (calendar: string) => `deadlines:
  - { name: ${calendar}, calendar: ${calendar}, due: sameDay }
`;
const ALERTS = `alerts:
  channels:
    - { name: ops, kind: slack, url: https://hooks.slack.test/1 }
`;

/** Loads files with these texts, and returns what they have in common with others, or the problems, in which a file has its number. */
function load(...texts: readonly string[]) {
  const paths = texts.map((text) => writeTemporary(text));
  try {
    const { tenants, simulated, alerts } = loadConfig({ CONFIG_FILE: paths.join(', '), ...shared });
    return [
      ...tenants.map(({ id, deadlines: own }) => [id, ...own.map(({ name }) => name)].join(' ')),
      ...(simulated?.deadlines ?? []).map(({ calendar }) => calendar.name),
      ...(alerts?.channels ?? []).map(({ name }) => name),
    ];
  } catch (error) {
    const [, ...lines] = (error as Error).message.split('\n');
    return lines.map((line) => paths.reduce((text, path, at) => text.replaceAll(path, `file ${at}`), line.trim()));
  }
}

describe('several files', () => {
  it.each([
    ['a section each', [ALERTS, CALENDAR('dock') + RULE('dock')], ['dock', 'ops']],
    [
      'a calendar each',
      [
        CALENDAR('dock'),
        CALENDAR('yard') + RULE('dock') + RULE('yard').replace(/.*\n/, '').replace('sameDay', 'sameDay, kind: receipt'),
      ],
      ['dock', 'yard'],
    ],
    [
      'a warehouse each, in their order',
      [WAREHOUSE(2, 'two'), CALENDAR('dock') + RULE('dock'), WAREHOUSE(1, 'one')],
      ['2 dock', '1 dock'],
    ],
    [
      'the same warehouse',
      [WAREHOUSE(1, 'one'), WAREHOUSE(1, 'two')],
      ['file 1, line 2: tenant: repeats that of an earlier warehouse'],
    ],
    ['the same section', [ALERTS, `\n${ALERTS}`], ['file 1, line 2: alerts: repeats that of file 0, line 1']],
    [
      'the same calendar',
      [CALENDAR('dock') + RULE('dock'), CALENDAR('dock')],
      ['file 1, line 2: calendars.dock: repeats that of file 0, line 2'],
    ],
    [
      'errors, in their order',
      [`${WAREHOUSE(1, 'one')}\ncolour: red\n`, `${ALERTS}    - { name: ops }\n${CALENDAR('dock')}`],
      [
        expect.stringMatching(/^file 0, line 4: colour: is not known here/),
        'file 1, line 4: alerts.channels.1.kind: is missing',
        'file 1, line 6: calendars.dock: is used by no deadline',
      ],
    ],
    [
      'nothing, and no YAML',
      ['', `${ALERTS}  - {`],
      [
        'file 0, line 1: must have a section, such as warehouses',
        expect.stringMatching(/^file 1, line 4: is not valid YAML/),
      ],
    ],
  ])('may have %s', (_, texts, expected) => {
    expect(load(...texts)).toEqual(expected);
  });

  it('have a notice of a channel for an account that they do not have', () => {
    const text = WAREHOUSE(1, 'one') + ALERTS.replace('name: ops', 'name: ops, tenants: [1, 2]');
    expect(loadFile(text, shared).notices).toEqual(['The channel ops is for accounts that are not configured: 2.']);
  });

  it('are refused if one cannot be read', () => {
    expect(() => loadConfig({ CONFIG_FILE: `${writeTemporary(ALERTS)},/none.yaml` })).toThrow(
      /errors:\n {2}CONFIG_FILE: \/none.yaml cannot be read: ENOENT: no such file or directory$/,
    );
  });

  it('may be named by the variables of earlier versions, which the notices say', () => {
    const [WAREHOUSES_FILE, ALERTS_FILE] = [WAREHOUSE(1, 'one'), ALERTS].map(writeTemporary);
    const { tenants, alerts, notices } = loadConfig({
      ...shared,
      CONFIG_FILE: ALERTS_FILE,
      WAREHOUSES_FILE,
      ALERTS_FILE,
    });
    expect([tenants[0]?.id, alerts?.channels.length]).toEqual(['1', 1]);
    expect(notices).toEqual([
      `WAREHOUSES_FILE is an earlier name. Set CONFIG_FILE=${ALERTS_FILE},${WAREHOUSES_FILE} instead: it names files of all settings.`,
      `ALERTS_FILE is an earlier name. Set CONFIG_FILE=${ALERTS_FILE},${WAREHOUSES_FILE} instead: it names files of all settings.`,
    ]);
    expect(() => loadConfig({ DEADLINES_FILE: '/none.yaml' })).toThrow(/DEADLINES_FILE: \/none.yaml cannot be read/);
  });
});
