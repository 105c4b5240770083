import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadFile, problemsOf } from '../config/load-file.ts';

// biome-ignore lint/suspicious/noTemplateCurlyInString: a reference to a variable, as the file has it
const SLACK = 'kind: slack, url: "https://hooks.slack.test/${SLACK_KEY}"';

const env = { SLACK_KEY: 's3cret' };

const withChannels = (...channels: readonly string[]): string =>
  `alerts:\n  channels:\n${channels.map((it) => `    - { ${it} }\n`).join('')}`;

describe('the section alerts', () => {
  it('has channels with what they want, and defaults', () => {
    expect(loadFile(withChannels(`name: ops, ${SLACK}`), env).alerts).toEqual({
      holdSeconds: 60,
      clearSeconds: 300,
      channels: [
        {
          name: 'ops',
          kind: 'slack',
          url: 'https://hooks.slack.test/s3cret',
          allowHttp: 'no',
          conditions: [],
          tenants: [],
          customers: [],
        },
      ],
    });
  });

  it('is described with an example that is right', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/alerts.md'), 'utf8');
    const [, example = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
    const variables = [...example.matchAll(/\$\{(\w+)\}/g)].map(
      ([, name = '']) => [name, name.endsWith('_URL') ? 'https://hooks.slack.test/hidden' : 'hidden'] as const,
    );
    const { alerts } = loadFile(example, {
      ...Object.fromEntries(variables),
      PAGER_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
    });
    expect(alerts?.channels.map(({ kind }) => kind)).toEqual(['slack', 'email', 'teams', 'webhook']);
  });

  it.each([
    ['a channel without a kind', 'name: ops', /^line 3: alerts\.channels\.0\.kind: must be one of slack, /],
    ['a kind that is not known', 'name: ops, kind: pager', /^line 3: .*kind: must be one of/],
    [
      'a condition that is not known',
      `name: ops, ${SLACK}, conditions: [overdew]`,
      /^line 3: .*conditions\.0: must be one of/,
    ],
    ['a key that is not known', `name: ops, ${SLACK}, tenant: []`, /did you mean tenants/],
    ['no tenants', `name: ops, ${SLACK}, tenants: []`, /tenants: must name at least one, or be left out for all/],
    ['customers without tenants', `name: ops, ${SLACK}, customers: ["418"]`, /customers: needs tenants/],
    ['plain http', 'name: ops, kind: slack, url: "http://hooks.slack.test/x"', /url: is plain http beyond loopback/],
    [
      'a mailbox that is none',
      'name: ops, kind: email, server: "smtps://mail.test", from: ops, to: [a@b.test]',
      /from: must be an address/,
    ],
    [
      'a mail server that is none',
      'name: ops, kind: email, server: "https://mail.test", from: a@b.test, to: [a@b.test]',
      /server: must be an smtps/,
    ],
  ])('is refused with %s, which is said with the line', (_name, channel, expected) => {
    const problems = problemsOf(withChannels(channel), env);
    expect(problems).toEqual([expect.stringMatching(expected)]);
    expect(problems.join()).not.toContain('s3cret');
  });

  it('is refused with two channels of one name', () => {
    expect(problemsOf(withChannels(`name: ops, ${SLACK}`, `name: ops, ${SLACK}`), env)).toEqual([
      expect.stringMatching(/^line 4: .*name: repeats that of a channel above/),
    ]);
  });
});
