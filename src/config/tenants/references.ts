import { type Scalar, visit } from 'yaml';
import type { YamlText } from './yaml-text.ts';

/** A value that names a variable which is not set. */
export interface OpenReference {
  readonly node: Scalar;
  readonly line: number;
  readonly variable: string;
}

const REFERENCE = /\$\{(\w+)\}/g;

/** Puts variables in the place of each `${NAME}` in the values of a document. Returns those whose variable is not set. */
export function resolveReferences(
  { document, lineOf }: YamlText,
  env: Readonly<Record<string, string | undefined>>,
): OpenReference[] {
  const open: OpenReference[] = [];
  visit(document, {
    Scalar: (key, node) => {
      if (key === 'key' || typeof node.value !== 'string') return;
      node.value = node.value.replaceAll(REFERENCE, (reference, variable: string) => {
        const value = env[variable];
        if (!value) open.push({ node, line: lineOf(node), variable });
        return value || reference;
      });
    },
  });
  return open;
}
