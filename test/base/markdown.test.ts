import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escaped } from '../../src/base/text.ts';

/** Returns the text that a line of Markdown shows whose markup is escaped. */
const plain = (markdown: string): string => markdown.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');

describe('a text in Markdown', () => {
  it.each([
    ['[Click](https://evil.example)', String.raw`\[Click\](https\://evil.example)`],
    ['![a picture](//evil.example/x.png)', String.raw`!\[a picture\](//evil.example/x.png)`],
    ['<https://evil.example> <b>', String.raw`\<https\://evil.example> \<b>`],
    ['https://evil.example www.evil.example', String.raw`https\://evil.example www\.evil.example`],
    ['somebody@evil.example', String.raw`somebody\@evil.example`],
    ['*urgent* _now_ ~~old~~', String.raw`\*urgent\* \_now\_ \~\~old\~\~`],
    ['`code` | cell | &lt;', String.raw`\`code\` \| cell \| \&lt;`],
    ['a\n\n# heading\r\n- item', 'a # heading - item'],
    ['# heading #', String.raw`\# heading \#`],
    ['- item', String.raw`\- item`],
    ['1. item', String.raw`1\. item`],
    ['{workflowId}', String.raw`\{workflowId\}`],
    ['\\[a](b)', String.raw`\\\[a\](b)`],
    ['half \ud83d, zero \0', 'half \ufffd, zero \ufffd'],
  ])('shows %j as it is', (text, markdown) => {
    expect(escaped(text)).toBe(markdown);
  });

  it.each([
    'Any Customer',
    'Smith & Sons, Inc.',
    'PO #77-A/2 (rush)',
    'CUSTOMER_READ',
    '12.7001.RED%2FXL',
    '/orders/abc',
    'GET /orders/31 answered 503 (ErrorCode NotFound)',
    'Ünïcödé 倉庫 💥',
    '9104:187450321',
  ])('is %j where nothing in it is markup', (text) => {
    expect(escaped(text)).toBe(text);
  });

  const marks = ['\\', '`', '*', '_', '[', ']', '(', ')', '{', '}', '<', '>', '#', '|', '~', '@', '&', '.', '-', '1'];
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(...marks, 'a', ' ', '\n', '\0', '\ud83d', '\ude00', 'https://a', 'www.', '&lt;'),
    }),
  );

  it('is one line, well formed, without markup, and says the same', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const markdown = escaped(text, Number.POSITIVE_INFINITY);
        const said = text.toWellFormed().replaceAll('\0', '\ufffd').replaceAll(/\s+/g, ' ').trim();
        expect(plain(markdown)).toBe(said);
        expect(markdown.isWellFormed()).toBe(true);
        const unescaped = markdown.replaceAll(/\\[!-/:-@[-`{-~]/g, 'x');
        expect(unescaped).not.toMatch(/[\\`*{}[\]<|~@\0\n\r]|:\/\/|www\.|&(lt|#)|^[-+=>#]|^\d+[.)]( |$)/i);
      }),
    );
  });

  it('is shortened before it is escaped', () => {
    expect(escaped('*'.repeat(400))).toBe(String.raw`\*`.repeat(300));
    expect(escaped(`${'a'.repeat(299)}💥`)).toBe('a'.repeat(299));
  });
});
