export { generateUsage, readGenerateArguments } from './arguments.ts';
export { generate, generatedPassword } from './generate.ts';
