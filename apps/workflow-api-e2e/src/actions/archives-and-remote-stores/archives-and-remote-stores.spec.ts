import { describeFixtures } from '../../support/fixtures';

describeFixtures('archives and remote stores', __dirname);
