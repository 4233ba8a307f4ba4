import { readFileSync } from 'node:fs';

/** The content of a JSON file of this repository, whose form the caller knows. */
export const readJson = <Content>(file: string): Content => JSON.parse(readFileSync(file, 'utf8')) as Content;
