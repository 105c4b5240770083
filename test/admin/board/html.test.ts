import { describe, expect, it } from 'vitest';
import { html, sourceOf } from '../../../src/admin/board/html.ts';
import { duration, shorten, untrusted, withoutDirection } from '../../../src/admin/board/text.ts';

describe('a template', () => {
  it('escapes values in text and in quoted attributes', () => {
    const hostile = `<script>alert("1")</script>' onload='x' &amp;`;
    expect(sourceOf(html`<p title="${hostile}">${hostile}</p>`)).toBe(
      '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39; onload=&#39;x&#39; &amp;amp;">' +
        '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39; onload=&#39;x&#39; &amp;amp;</p>',
    );
  });

  it('nests markup and lists, and leaves out what is absent', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(sourceOf(html`<ul>${items}</ul>${null}${undefined}${false}${0}`)).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
    );
  });

  it('escapes an object that looks like markup', () => {
    const forged = JSON.parse('{"Symbol(source of markup)":"<b>"}');
    expect(() => sourceOf(html`${forged}`)).toThrow();
  });
});

describe('text from outside', () => {
  it('is shortened between characters and kept apart from its surroundings', () => {
    expect(shorten('😀😀😀', 3)).toBe('😀…');
    expect(sourceOf(untrusted('x'.repeat(10_000), 5))).toBe('<bdi>xxxxx…</bdi>');
    expect(withoutDirection('a\u202eb\u2066c')).toBe('abc');
  });
});

describe('a duration', () => {
  it.each([
    [-5, '0 s'],
    [999, '0 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [183_600_000, '2 d 3 h'],
  ])('of %d ms is written as %s', (ms, text) => expect(duration(ms)).toBe(text));
});
