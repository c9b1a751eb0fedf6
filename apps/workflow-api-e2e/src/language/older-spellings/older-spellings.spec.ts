import { describeFixtures } from '../../support/fixtures';

describeFixtures('older spellings', __dirname);
