import { readFileSync } from 'node:fs';
import type { Installation } from './installation.ts';

/** Pages whose commands tests run. */
export const pages = ['docs/runbooks.md', 'docs/maintenance.md'] as const;

/** One of {@link pages}. */
export type Page = (typeof pages)[number];

/** Section of a page, with its commands in their order. */
export interface Section {
  readonly heading: string;
  /** Lines of its blocks of shell code. */
  readonly commands: readonly string[];
}

/** Reads the sections of a page. */
export function sectionsOf(page: Page): readonly Section[] {
  const [, ...sections] = readFileSync(page, 'utf8').split(/^## /m);
  return sections.map((section) => ({
    heading: section.slice(0, section.indexOf('\n')),
    commands: [...section.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
      block
        .split('\n')
        .map((line) => line.replace(/\s#.*$/, '').trim())
        .filter(Boolean),
    ),
  }));
}

/** Deviations of a step. */
interface StepOptions {
  /** Replaces examples in the command, such as ids. */
  readonly replace?: Readonly<Record<string, string>>;
  /** Expected exit code. Default: 0. */
  readonly exits?: number;
}

/** Section whose commands are run in their order. */
export interface Runbook {
  /** Runs the next command, which must contain the given words, and returns its output. Throws if it exits otherwise than expected. */
  step(words: string, options?: StepOptions): Promise<string>;
  /** Throws if a command was not run. */
  end(): void;
}

/** Opens a section of a page, to run its commands in an installation. */
export function openRunbook(page: Page, heading: string, { run }: Pick<Installation, 'run'>): Runbook {
  const section = sectionsOf(page).find((one) => one.heading === heading);
  if (!section) throw new Error(`${page} has no section "${heading}"`);
  const left = [...section.commands];
  return {
    async step(words, { replace = {}, exits = 0 } = {}) {
      const next = left.shift();
      if (!next?.includes(words)) throw new Error(`the next command of "${heading}" is: ${next ?? 'none'}`);
      const command = Object.entries(replace).reduce((line, [from, to]) => line.replaceAll(from, to), next);
      const { code, output } = await run(command);
      if (code !== exits) throw new Error(`${command} exited with ${code}: ${output}`);
      return output;
    },
    end() {
      if (left.length > 0) throw new Error(`"${heading}" has more commands: ${left.join('; ')}`);
    },
  };
}
