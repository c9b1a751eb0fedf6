import { describeFixtures } from '../../support/fixtures';

describeFixtures('custom actions', __dirname);
