-- AlterTable
ALTER TABLE "EventSubscription" ADD COLUMN     "blockedAfterSeconds" INTEGER;
