import { readSections, type Section } from './documents.ts';

/** Section that has all words of a search, with the text around the first of them. */
export interface Passage extends Omit<Section, 'text'> {
  readonly excerpt: string;
}

const MOST = 20;

/** Characters of an excerpt before and after a word. */
const BEFORE = 60;
const AFTER = 180;

/** Finds the sections that have all words, whatever their case; those with a word in their heading come first. */
export function searchDocuments(asked: string): readonly Passage[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const headed = ({ heading }: Section) => words.filter((word) => heading.toLowerCase().includes(word)).length;
  return readSections()
    .filter(({ heading, text }) => words.every((word) => `${heading} ${text}`.toLowerCase().includes(word)))
    .toSorted((a, b) => headed(b) - headed(a))
    .slice(0, MOST)
    .map(({ text, ...section }) => ({ ...section, excerpt: excerptOf(text, words) }));
}

function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - BEFORE);
  const to = from + BEFORE + AFTER;
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const end = to >= text.length ? text.length : text.lastIndexOf(' ', to);
  return `${start > 0 ? '… ' : ''}${text.slice(start, end).trim()}${end < text.length ? ' …' : ''}`;
}
