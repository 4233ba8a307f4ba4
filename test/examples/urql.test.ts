import { testPage } from '../support/page-tests.ts';

testPage('urql');
