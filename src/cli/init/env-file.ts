import { parseEnv } from 'node:util';
import { type Answers, questions } from './questions.ts';

const sentences: Answers = {
  ANNOUNCE_SECRET: 'Signs the announcements; your receiver verifies them with it',
};

/** @throws Error if a value cannot be written so that every reader of such files takes it alike */
export function formatEnvFile(values: Answers): string {
  const lines = Object.entries(values).flatMap(([name, value]) => [
    `# ${sentenceOf(name)}.`,
    `${name}=${quote(name, value)}`,
  ]);
  return ['# Written by `dockline init`. .env.example lists every variable with its default.', ...lines, ''].join('\n');
}

const sentenceOf = (name: string): string =>
  sentences[name] ?? questions.find(({ variable }) => variable === name)?.text ?? name;

/** Only where it has to be. */
function quote(name: string, value: string): string {
  const written = ['', '"', "'"].map((mark) => `${mark}${value}${mark}`);
  const fits = written.find((text) => parseEnv(`${name}=${text}`)[name] === value);
  if (fits === undefined || /[\r\n]/.test(value))
    throw new Error(`${name} has quotes or line breaks that no file .env can have`);
  return fits;
}
