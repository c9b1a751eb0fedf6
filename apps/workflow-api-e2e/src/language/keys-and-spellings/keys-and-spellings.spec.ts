import { describeFixtures } from '../../support/fixtures';

describeFixtures('keys and spellings', __dirname);
