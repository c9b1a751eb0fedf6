import { describeFixtures } from '../../support/fixtures';

describeFixtures('web and data actions', __dirname);
