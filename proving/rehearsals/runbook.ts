import { readFileSync } from 'node:fs';
import type { Installation } from './installation.ts';

/** Pages whose commands tests run. */
export const pages = ['docs/runbooks.md', 'docs/maintenance.md'] as const;

export type Page = (typeof pages)[number];

/** Section of a page, with its commands in their order. */
export interface Section {
  readonly heading: string;
  /** Lines of its blocks of shell code. */
  readonly commands: readonly string[];
  /** Commands within its sentences. */
  readonly mentioned: readonly string[];
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
    mentioned: [...section.matchAll(/`(npx dockline [^`]+)`/g)].map(([, command = '']) =>
      command.replaceAll('\n', ' '),
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
  /** Runs the command within a sentence that contains the given words. */
  mentioned(words: string, options?: StepOptions): Promise<string>;
  /** Throws if a command was not run. */
  end(): void;
}

/** Opens a section of the runbooks, to run its commands in an installation. */
export const runbookOf = (heading: string, installation: Pick<Installation, 'run'>): Runbook =>
  openRunbook('docs/runbooks.md', heading, installation);

/** Opens a section of a page, to run its commands in an installation. */
export function openRunbook(page: Page, heading: string, { run }: Pick<Installation, 'run'>): Runbook {
  const section = sectionsOf(page).find((one) => one.heading === heading);
  if (!section) throw new Error(`${page} has no section "${heading}"`);
  const left = [...section.commands];
  const perform = async (line: string, { replace = {}, exits = 0 }: StepOptions = {}) => {
    const command = Object.entries(replace).reduce((replaced, [from, to]) => replaced.replaceAll(from, to), line);
    const { code, output } = await run(command);
    if (code !== exits) throw new Error(`${command} exited with ${code}: ${output}`);
    return output;
  };
  return {
    async step(words, options) {
      const next = left.shift();
      if (!next?.includes(words)) throw new Error(`the next command of "${heading}" is: ${next ?? 'none'}`);
      return await perform(next, options);
    },
    async mentioned(words, options) {
      const found = section.mentioned.find((command) => command.includes(words));
      if (!found) throw new Error(`"${heading}" mentions no command with: ${words}`);
      return await perform(found, options);
    },
    end() {
      if (left.length > 0) throw new Error(`"${heading}" has more commands: ${left.join('; ')}`);
    },
  };
}
