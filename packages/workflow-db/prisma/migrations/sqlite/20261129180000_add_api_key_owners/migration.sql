-- AlterTable
ALTER TABLE "ApiKey" ADD COLUMN     "ownerId" TEXT;
ALTER TABLE "ApiKey" ADD COLUMN     "serviceAccountName" TEXT NOT NULL DEFAULT '';
ALTER TABLE "ApiKey" ADD COLUMN     "surfaces" TEXT NOT NULL DEFAULT '';
