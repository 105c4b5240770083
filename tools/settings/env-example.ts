import { variableGroups, variables } from '../../src/config/variables.ts';
import { describeVariable } from './words.ts';

/** Longest line, in characters. */
const WIDTH = 140;

const HEAD = `# Every variable that Dockline reads, with its default. A line without a value has no default.
# Spaces and quotes around a value are dropped. A comment needs a line of its own. Several values are separated by commas.
# A time is in milliseconds, or has a unit: 90s, 15m, 1h, 2d.
# Services that the first groups leave unset run embedded with \`npm start\`: a Temporal server, a simulated warehouse, a receiver.
# Written by \`npm run settings\` from src/config/variables and from the forms of the settings.
`;

/** Writes `.env.example`. */
export const writeEnvExample = (): string =>
  [
    HEAD,
    ...variableGroups.map((group) =>
      Object.keys(group)
        .map((name) => writeVariable(name))
        .join(''),
    ),
  ].join('\n');

function writeVariable(name: string): string {
  const known = name as keyof typeof variables;
  return `${comment(describeVariable(known))}# ${name}=${show(variables[known].safeParse(undefined).data)}\n`;
}

function show(usual: unknown): string {
  if (Array.isArray(usual)) return usual.join();
  return typeof usual === 'object' ? '' : String(usual ?? '');
}

/** Breaks a text into lines of comment. */
function comment(text: string): string {
  if (text === '') return '';
  const lines = ['#'];
  for (const word of text.split(' '))
    if (`${lines.at(-1)} ${word}`.length <= WIDTH) lines.push(`${lines.pop()} ${word}`);
    else lines.push(`# ${word}`);
  return lines.map((line) => `${line}\n`).join('');
}
