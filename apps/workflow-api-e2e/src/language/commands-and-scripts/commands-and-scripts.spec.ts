import { describeFixtures } from '../../support/fixtures';

describeFixtures('commands and scripts', __dirname);
