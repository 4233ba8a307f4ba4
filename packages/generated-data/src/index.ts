export { generate, generatedPassword } from './generate.ts';
