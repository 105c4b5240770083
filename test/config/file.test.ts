import { describe, expect, it } from 'vitest';
import { standardPaths } from '../../src/domain/catalogue/operation.ts';
import { standardProperties } from '../../src/domain/catalogue/properties.ts';
import type { Environment } from '../../src/forms/forms.ts';
import { access, loadFile, problemsOf, withWarehouses } from './load-file.ts';

const TPL = '5f0c2b7e-8d3a-4c19-b6a4-2e9d7f1c0a55';
const SIGNING = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const conventions = { paths: standardPaths, properties: standardProperties };
const hmac = { verify: 'hmac-sha256', secret: 'sixteen-characters', header: 'x-signature' };
const other = { name: 'alder', url: 'https://alder.example', secret: SIGNING };

const of = (variable: string) => `\${${variable}}`;

const tenantsOf = (text: string, env: Environment = {}) => loadFile(text, env).tenants;

describe('the section warehouses', () => {
  it('describes each tenant in YAML, with the defaults of the file', () => {
    const text = `
defaults:
  orderDetail: [contacts]
  announce: { url: https://all.example, secret: ${SIGNING} }
warehouses:
  - tenant: 9104
    baseUrl: https://wms.example
    authUrl: https://wms.example
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
      detail: advice
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
            detail: 'advice',
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
        webhook: { verify: 'rsa-sha256' },
        id: '7001',
        endpoint: '7001',
        ...access,
        baseUrl: 'https://other.example',
        authUrl: 'https://other.example',
      },
    ]);
  });

  it('may contain references to variables in its values', () => {
    const entry = { tenant: of('TENANT'), baseUrl: `https://${of('HOST')}/api`, clientSecret: of('SECRET') };
    const env = { TENANT: '9104', HOST: 'wms.example', SECRET: `with ${of('TENANT')} and $& in it` };
    expect(tenantsOf(withWarehouses(entry), env)).toMatchObject([
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
    expect(problemsOf(text)).toEqual([
      'line 2: baseUrl: must be an http:// or https:// address',
      'line 3: the variable NOT_SET is not set',
      expect.stringMatching(/^line 4: colour: is not known here; known are tenant, baseUrl, /),
      'line 8: client_id: is not known here; did you mean clientId?',
      'line 10: tpl: must be a GUID',
      'line 11: callsPerSecond: must be a number',
      expect.stringMatching(/^line 12: orderDetail.1: must be one of savedElements, /),
      'line 13: tenant: must be of letters, digits, hyphens and underscores, at most 24',
      'line 13: authUrl: is missing',
      'line 13: clientId: is missing',
      'line 13: userLogin: is missing',
      'line 14: announce.url: must be an http:// or https:// address',
      'line 14: announce.secret: is required with kind: http',
      'line 15: must be keys with values',
      'line 16: extra: is not known here; known are defaults, calendars, warehouses, deadlines, alerts',
    ]);
  });

  it.each([
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
    [{ destinations: [{ ...other, customer: [1] }] }, /customer: is not known here; did you mean customers\?$/],
    [{ destinations: other }, /destinations: must be a list$/],
    [{ webhook: { verify: 'token' } }, /webhook.token: is required with verify: token$/],
    [{ webhook: { verify: 'token', token: 'short' } }, /webhook.token: must have at least 16 characters$/],
    [{ webhook: { token: 'short' } }, /webhook.token: is not known here; it is for verify: token$/],
    [
      { webhook: { verify: 'token', token: ['long-enough-to-be-taken', 'short'] } },
      /webhook.token.1: must have at least 16 characters$/,
    ],
    [{ webhook: { verify: 'token', token: [] } }, /webhook.token: must have at least one$/],
    [{ webhook: { verify: 'basic', user: 'dockline' } }, /webhook.password: is required with verify: basic$/],
    [
      { webhook: { verify: 'hmac-sha256', secret: 'sixteen-characters' } },
      /webhook.header: is required with verify: hmac-sha256$/,
    ],
    [{ webhook: { verify: 'standard-webhooks' } }, /webhook.secret: is required with verify: standard-webhooks$/],
    [{ webhook: { verify: 'standard-webhooks', secret: 'sixteen-characters' } }, /webhook.secret: must be whsec_ and/],
    [{ webhook: { verify: 'hmac-sha256', header: 'x', secret: 'short' } }, /webhook.secret: must have at least 16/],
    [{ webhook: { secret: 'short' } }, /webhook.secret: .* it is for verify: hmac-sha256 or standard-webhooks$/],
    [{ webhook: { verify: 'md5' } }, /webhook.verify: must be one of rsa-sha256, hmac-sha256, /],
    [{ webhook: { ...hmac, header: 'two words' } }, /webhook.header: must be a header's name$/],
    [{ webhook: { ...hmac, prefix: 'a b' } }, /webhook.prefix: must be of printable characters/],
    [
      { webhook: { verify: 'basic', password: 'sixteen-characters', user: 'a:b' } },
      /webhook.user: must be a name without a colon$/,
    ],
    [
      { webhook: { verify: 'standard-webhooks', secret: SIGNING, toleranceMs: 0 } },
      /webhook.toleranceMs: must be a whole number of milliseconds from 1 /,
    ],
    [{ webhook: 'none' }, /webhook: must be keys with values$/],
    [{ clientId: ['a'] }, /clientId: must be a text$/],
    [{ callsPerSecond: 0 }, /callsPerSecond: must be more than 0$/],
    [{ clientSecret: '' }, /clientSecret: must not be empty$/],
  ])('has %j reported', (part, problem) => {
    expect(problemsOf(withWarehouses(part))).toEqual([expect.stringMatching(problem)]);
  });

  it('is named for what is not safe, beside everything else that is wrong', () => {
    const token = 'sixteen-characters';
    const unsafe = { authUrl: 'http://wms.example', destinations: [{ ...other, recordsToken: token }] };
    const env = { ADMIN_TOKEN: token, LOG_LEVEL: 'loud' };
    const [level, ...problems] = problemsOf(withWarehouses(unsafe), env);
    expect(level).toMatch(/^LOG_LEVEL: /);
    expect(problems).toEqual([
      expect.stringMatching(/^line 6: authUrl: is plain http beyond loopback, .*; set WAREHOUSE_ALLOW_HTTP=yes/),
      'line 15: destinations.0.recordsToken: is a token of the administrative API, which no receiver may have',
    ]);
  });

  it('takes the place of the variables of a warehouse, which are refused unless it names them', () => {
    const entry = { clientSecret: of('WAREHOUSE_CLIENT_SECRET') };
    const env = {
      WAREHOUSE_CLIENT_SECRET: 'hush',
      WAREHOUSE_CALLS_PER_SECOND: '5',
      WEBHOOK_TIMESTAMP_TOLERANCE_MS: '',
    };
    expect(tenantsOf(withWarehouses(entry), env)[0]?.clientSecret).toBe('hush');
    expect(
      problemsOf(withWarehouses(entry), { ...env, ANNOUNCE_URL: 'https://x.example', WAREHOUSE_TENANT: '1' }),
    ).toEqual([
      expect.stringMatching(
        /^WAREHOUSE_TENANT, ANNOUNCE_URL: must be unset with warehouses in CONFIG_FILE, .*\$\{ANNOUNCE_URL\}$/,
      ),
    ]);
  });

  it.each([
    [
      { verify: 'standard-webhooks', secret: [SIGNING, SIGNING], toleranceMs: 60_000 },
      { verify: 'standard-webhooks', secret: [SIGNING, SIGNING], toleranceMs: 60_000 },
    ],
    [
      { verify: 'basic', user: 'dockline', password: ['the-password-of-today', 'that of tomorrow'] },
      { verify: 'basic', user: 'dockline', password: ['the-password-of-today', 'that of tomorrow'] },
    ],
  ])('is read with %j', (webhook, expected) => {
    expect(tenantsOf(withWarehouses({ webhook }))[0]?.webhook).toEqual(expected);
  });

  it.each([
    ['the same tenant', { clientId: 'other' }, 'line 13: tenant: repeats that of an earlier warehouse'],
    ['the same credential and tpl', { tenant: 2 }, 'line 19: tpl: repeats that of an earlier warehouse'],
  ])('has a second warehouse with %s reported', (_case, difference, problem) => {
    const one = { tenant: 1, tpl: TPL };
    expect(problemsOf(withWarehouses(one, { ...one, ...difference }))).toContain(problem);
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

it('a channel for an account that no warehouse has is told of', () => {
  const channel = { name: 'ops', kind: 'slack', url: 'https://hooks.slack.test/1', tenants: ['1', '2'] };
  const warehouses = [{ tenant: 1, ...access, announce: { url: other.url, secret: SIGNING } }];
  const text = JSON.stringify({ warehouses, alerts: { channels: [channel] } });
  expect(loadFile(text).notices).toEqual(['The channel ops is for accounts that are not configured: 2.']);
});
